// For public registries that sellers resell. An answer costs what a seller took, or the operator's fee.
import { type RunContext, z } from '#core/action.ts'
import type { ProviderHttp } from '#core/ports.ts'
import type { Provider } from '#core/provider.ts'

export const keylessFeeCentsDefault = 1

/** For the output of such an action. */
export const boughtFor = {
  price_usd: z.number().optional().describe('What the seller took, where the answer was bought.'),
} as const

interface Bought {
  readonly price_usd?: number | undefined
}

/** The other fields of a record, besides those of its schema. */
export const recordFields = {
  provider: z.string(),
  record: z.looseObject({}),
  ...boughtFor,
} as const

/** At most the list price: what a seller took, or the operator's fee for an answer that was not bought. */
export const listPrice = (cents: number, keylessFeeCents = keylessFeeCentsDefault) => ({
  upToCents: cents,
  usuallyCents: keylessFeeCents,
  settle: ({ output }: { readonly input: unknown; readonly output: Bought }) =>
    Math.min(cents, output.price_usd === undefined ? keylessFeeCents : output.price_usd * 100),
})

/** The same registry with another fee of the operator. */
export const withKeylessFee = (registry: Provider, keylessFeeCents: number): Provider => ({
  ...registry,
  actions: registry.actions.map((action) => ({
    ...action,
    price: listPrice((action.price as ReturnType<typeof listPrice>).upToCents, keylessFeeCents),
  })),
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
