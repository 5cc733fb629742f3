// /api/v1/passkeys: a person makes a passkey, which then signs in to the account. It is one of the account's keys.
import type { FastifyInstance } from 'fastify'
import { type Passkeys, passkeyRegistration } from '#accounts/sign-in/passkeys.ts'
import { z } from '#core/action.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject } from '../../doors/shapes.ts'
import { showKey, shownKey } from './keys.ts'

export const newPasskey = z.strictObject({
  name: z.string().trim().min(1).max(100).default('Passkey'),
  passkey: passkeyRegistration,
})

export const registrationOptions = defineRoute({
  method: 'post',
  path: '/api/v1/passkeys/options',
  who: 'manager',
  summary:
    'What a page passes to navigator.credentials.create, to make a passkey. It works once, for 15 minutes.',
  answer: anyObject,
  errors: ['forbidden', 'unavailable'],
})
export const createPasskey = defineRoute({
  method: 'post',
  path: '/api/v1/passkeys',
  who: 'manager',
  summary:
    'Add a passkey that signs in to the account. It is a key without a secret: limit or revoke it as any key.',
  body: newPasskey,
  status: 201,
  answer: shownKey,
  errors: ['bad_request', 'forbidden', 'unavailable'],
})

export function addPasskeyRoutes(server: FastifyInstance, { passkeys }: { passkeys: Passkeys }) {
  addRoute(server, registrationOptions, async ({ caller }, reply) => {
    reply.header('cache-control', 'no-store')
    return await passkeys.askToRegister(caller)
  })

  addRoute(server, createPasskey, async ({ caller, body: { name, passkey } }) =>
    showKey(await passkeys.register(caller, name, passkey)),
  )
}
