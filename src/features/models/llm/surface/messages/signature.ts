// The seal of a thought as this format has it: the `signature` of a block, or the `data` of a hidden one.
import type { ThoughtSeal } from '../../conversation/answer-event.ts'
import { sealToText } from '../../conversation/seal.ts'
import type { AnswerContext } from '../surface.ts'

/**
 * The vendor's own signature stays as it is, so that clients can also send it elsewhere. If another model of a tier may
 * answer the next request, the gateway's tag says which one made the thought.
 */
export function signatureOf(
  seal: ThoughtSeal,
  { request, slug }: Pick<AnswerContext, 'request' | 'slug'>,
): string {
  if (seal.maker === 'anthropic' && request.model === slug) return seal.data
  return sealToText({ ...seal, model: slug })
}
