// For public registries that sellers resell. An answer costs the list price or the amount that a seller took.
import { type RunContext, z } from '#core/action.ts'
import type { ProviderHttp } from '#core/ports.ts'

/** For the output of such an action. */
export const boughtFor = {
  price_usd: z.number().optional().describe('What the seller took, where the answer was bought.'),
} as const

/** The other fields of a record, besides those of its schema. */
export const recordFields = {
  provider: z.string(),
  record: z.looseObject({}),
  ...boughtFor,
} as const

export const listPrice = (cents: number) => ({
  upToCents: cents,
  settle: ({ output }: { readonly output: { readonly price_usd?: number | undefined } }) =>
    output.price_usd === undefined ? cents : output.price_usd * 100,
})

/** Runs `ask` with a client that adds up the payments of the operator's wallet, and reports the sum in the answer. */
export const tellPaid =
  <Input, Output extends object>(ask: (context: RunContext<Input>) => Promise<Output>) =>
  async (context: RunContext<Input>) => {
    let usd: number | undefined
    const send: ProviderHttp['send'] = async (request) => {
      const reply = await context.http.send(request)
      if (reply.paid !== undefined) usd = (usd ?? 0) + reply.paid.usd
      return reply
    }
    const http: ProviderHttp = {
      send,
      get: async (path, options) => (await send({ ...options, method: 'GET', path })).body,
      post: async (path, body, options) =>
        (await send({ ...options, method: 'POST', path, body })).body,
      sign: context.http.sign,
    }
    const answer = await ask({ ...context, http })
    return usd === undefined ? answer : { ...answer, price_usd: usd }
  }
