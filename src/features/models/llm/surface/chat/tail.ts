// The end of a stream in the common format.
import type { CallError } from '#core/errors.ts'
import { writeEvent } from '../../exchange/sse.ts'
import { describeUsage } from '../../usage.ts'
import type { AnswerContext, Told } from '../surface.ts'
import { type ChunkHead, writeChunk } from './chunk.ts'
import { chatErrorBody } from './error-body.ts'

export function writeTail({ request }: AnswerContext, head: ChunkHead, told: Told): string {
  const usage = request.includeUsage ? writeChunk(head, [], { usage: usageOf(told) }) : ''
  return `${usage}data: [DONE]\n\n`
}

export const usageOf = ({ usage, usageFields, micros, estimated }: Told) =>
  describeUsage(usage, { fields: usageFields, micros, estimated })

export const writeFailure = (error: CallError) => writeEvent(chatErrorBody(error))
