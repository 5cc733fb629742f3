import type { RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { type CompositionBody, mediaOf } from './composition-body.ts'

/** Throws `not_found` for media of another caller: the vendor knows only the gateway, and would use it. */
export async function admitMedia(
  { issued }: Pick<RunContext<unknown>, 'issued'>,
  composition: CompositionBody,
): Promise<void> {
  const named = mediaOf(composition)
  if (named.length === 0) return
  const own = new Set(await issued('media'))
  const foreign = named.find((id) => !own.has(id))
  if (foreign === undefined) return
  throw fail('not_found', {
    message: `Your account has no media ${foreign.slice(0, 60)}. Send the media_id that ns_assembler/upload answered. Nothing was charged.`,
  })
}
