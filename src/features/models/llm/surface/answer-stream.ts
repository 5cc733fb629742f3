// Between an upstream's format and a caller's: answers are passed on where both are the same, and translated otherwise.
import type { AnswerEvent } from '../conversation/answer-event.ts'
import { badArguments, type CallOrder, createCallOrder } from '../conversation/call-order.ts'
import { createEventCounter } from '../conversation/event-counter.ts'
import { toolFormsOf } from '../conversation/tool-forms.ts'
import type { UpstreamFailure } from '../exchange/failure.ts'
import type { WholeAnswer, Wire } from '../wire/wire.ts'
import type { AnswerContext, AnswerStream, PassThrough, Surface, Told } from './surface.ts'

function passThroughOf(
  surface: Surface,
  wire: Wire,
  context: AnswerContext,
): PassThrough | undefined {
  const { passThrough } = surface
  return passThrough?.wire === wire && passThrough.fits(context) ? passThrough : undefined
}

export function openAnswerStream(
  surface: Surface,
  wire: Wire,
  context: AnswerContext,
): AnswerStream {
  const passing = passThroughOf(surface, wire, context)?.openStream(context)
  if (passing !== undefined) return passing
  const reader = wire.openStream()
  const writer = surface.openWriter(context)
  const { state } = reader
  const counter = createEventCounter(state)
  const translate = createTranslation(surface, wire, context)

  let answerId: string | undefined

  function send(events: readonly AnswerEvent[]): string {
    events.forEach(counter.count)
    for (const event of events) if (event.type === 'start') answerId = event.id
    const written = translate.add(events).map(writer.write).join('')
    if (translate.failure() === undefined) return written
    state.failure ??= translate.failure()
    state.finished = false
    return ''
  }

  return {
    state,
    answerId: () => answerId,
    read: (data) => send(reader.read(data)),
    readWhole({ events, usage, usageFields, costUsd }) {
      Object.assign(state, { usage, usageFields, costUsd, done: true })
      return send(events())
    },
    cut: () => translate.add(counter.endOpen()).map(writer.write).join(''),
    end: writer.end,
    fail: writer.fail,
  }
}

/** A whole answer that the surface can write. */
export interface WritableAnswer extends WholeAnswer {
  write(told: Told): string
}

/** A failure stays what it is. An answer that the surface cannot write is a failure too. */
export function readWholeAnswer(
  surface: Surface,
  wire: Wire,
  context: AnswerContext,
  answer: WholeAnswer | UpstreamFailure,
): WritableAnswer | UpstreamFailure {
  if ('kind' in answer) return answer
  const passing = passThroughOf(surface, wire, context)
  const translate = createTranslation(surface, wire, context)
  // An answer that is passed on is read only where its calls may fail it.
  const isRead = passing === undefined || surface.argumentsAreJson === true
  const events = isRead ? translate.add(answer.events()) : []
  const failure = translate.failure()
  if (failure !== undefined) {
    const { usage, costUsd, deliveredBytes } = answer
    return { ...failure, billed: { usage, costUsd, deliveredBytes } }
  }
  if (passing !== undefined)
    return { ...answer, write: (told) => passing.writeWhole(answer.native, context, told) }
  return {
    ...answer,
    write(told) {
      const writer = surface.openWriter(context)
      for (const event of events) writer.write(event)
      return writer.whole(told)
    },
  }
}

function createTranslation(surface: Surface, wire: Wire, { request, slug }: AnswerContext) {
  const order: CallOrder = createCallOrder()
  const restore =
    toolFormsOf(request, wire.tools)?.openReader() ?? ((event: AnswerEvent) => [event])
  const isBad = () => surface.argumentsAreJson === true && order.hasBadArguments()
  const named = (event: AnswerEvent): AnswerEvent =>
    event.type === 'thought_end' && event.seal !== undefined
      ? { ...event, seal: { model: slug, ...event.seal } }
      : event
  return {
    add: (events: readonly AnswerEvent[]) =>
      events.flatMap((event) => order.add(named(event))).flatMap(restore),
    failure: () => (isBad() ? badArguments : undefined),
  }
}
