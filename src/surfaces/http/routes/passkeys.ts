// /api/v1/passkeys: a person makes a passkey, which then signs in to the account. It is one of the account's keys.
import type { FastifyInstance } from 'fastify'
import { type Passkeys, passkeyRegistration } from '#accounts/sign-in/passkeys.ts'
import { z } from '#core/action.ts'
import { readInput } from '../input.ts'
import { requireCaller } from '../server.ts'
import { requireManager, showKey } from './keys.ts'

export const newPasskey = z.strictObject({
  name: z.string().trim().min(1).max(100).default('Passkey'),
  passkey: passkeyRegistration,
})

export function addPasskeyRoutes(server: FastifyInstance, { passkeys }: { passkeys: Passkeys }) {
  server.post('/api/v1/passkeys/options', async (request, reply) => {
    const owner = requireManager(requireCaller(request))
    reply.header('cache-control', 'no-store')
    return await passkeys.askToRegister(owner)
  })

  server.post('/api/v1/passkeys', async (request, reply) => {
    const owner = requireManager(requireCaller(request))
    const { name, passkey } = readInput(newPasskey, request.body)
    reply.code(201)
    return showKey(await passkeys.register(owner, name, passkey))
  })
}
