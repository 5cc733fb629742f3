// The Responses API as a surface. It is made for one call, since it knows what the call continues and is kept as.
import { modelActions } from '#core/model-router.ts'
import type { Clock } from '#core/ports.ts'
import type { ChatFields } from '../../conversation/fields.ts'
import { responsesWire } from '../../wire/responses/responses.ts'
import type { AnswerContext, PassThrough, Surface } from '../surface.ts'
import { mayPass, passResponse, passWhole } from './pass-through.ts'
import type { ResponsesRequest } from './request.ts'
import { responseIdOf } from './response-object.ts'
import { createResponseWriter, type ResponseWriter, type ResponseWriterOptions } from './writer.ts'

export interface ResponsesSurface extends Surface {
  /** The complete answer, as it is kept. */
  answered(): ChatFields | undefined
  /** Whether the caller was told that the answer failed. */
  hasFailed(): boolean
  /** From now on the model may call no hosted tool. */
  withhold(): void
  /** The answer so far goes on with another round. */
  continueWith(writer: ResponseWriter): void
  writer(): ResponseWriter | undefined
}

export function openResponsesSurface(
  read: ResponsesRequest,
  {
    store,
    clock,
    createdAt: queuedAt,
  }: {
    readonly store: boolean
    readonly clock: Clock
    /** Unix seconds, of a response that was queued. */
    readonly createdAt?: number | undefined
  },
): ResponsesSurface {
  let answer: Pick<ResponseWriter, 'kept'> | undefined
  let failed = false
  let round: ResponseWriter | undefined
  let continued: ResponseWriter | undefined
  let withheld = false
  const optionsFor = ({ callId, slug, createdAt }: AnswerContext): ResponseWriterOptions => ({
    facts: {
      id: responseIdOf(callId),
      createdAt: queuedAt ?? createdAt,
      model: slug,
      store,
      echo: read.echo,
    },
    names: read.names,
    include: read.include,
    hosted: read.hosted,
    isWithheld: () => withheld,
    now: clock.now,
  })
  /** Notes the answer that the caller receives, and whether it failed. */
  function noted<Writer extends Pick<ResponseWriter, 'kept' | 'fail'>>(opened: Writer): Writer {
    answer = opened
    return {
      ...opened,
      fail(error) {
        failed = true
        return opened.fail(error)
      },
    }
  }
  const passThrough: PassThrough = {
    wire: responsesWire,
    fits: (context) => mayPass(context, read.names),
    openStream: (context) => noted(passResponse(optionsFor(context))),
    writeWhole(native, context, told) {
      const { shown, kept } = passWhole(native, optionsFor(context), told)
      answer = { kept: () => kept }
      return JSON.stringify(shown)
    },
  }
  return {
    // Calls of hosted tools are the gateway's own.
    ...(read.hosted.length === 0 ? { passThrough } : {}),
    action: modelActions.responses,
    keepAlive: ': keep-alive\n\n',
    readRequest: () => read.request,
    openWriter(context) {
      round = continued ?? createResponseWriter(optionsFor(context))
      return noted(round)
    },
    answered: () => answer?.kept(),
    hasFailed: () => failed,
    withhold() {
      withheld = true
    },
    continueWith(open) {
      continued = open
    },
    writer: () => round,
  }
}
