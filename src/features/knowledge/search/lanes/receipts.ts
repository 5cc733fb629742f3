// Which call of a source has given which answer. Each answer is kept under a transaction id of its own.
import type { RunContext } from '#core/action.ts'
import type { SourceCall } from '../sources/source.ts'

/** The call of a source that says something. */
export interface AnswerReceipt {
  /** `service/action`, or the way of this machine. */
  readonly source: string
  /** By which `result` returns the whole answer. Null where nothing is paid. */
  readonly transaction_id: string | null
}

export interface Receipts {
  /** Keeps an answer. */
  take(source: string, answer: object): AnswerReceipt
  /** Undefined for what no call has answered. */
  find(answer: object): AnswerReceipt | undefined
}

/** Of one search. Its facets may share an answer. */
export function createReceipts({ keepAnswer }: Pick<RunContext<unknown>, 'keepAnswer'>): Receipts {
  const receipts = new WeakMap<object, AnswerReceipt>()
  return {
    take(source, answer) {
      const transaction_id = keepAnswer({ action: source, output: answer }) ?? null
      const receipt = { source, transaction_id }
      receipts.set(answer, receipt)
      return receipt
    },
    find: (answer) => receipts.get(answer),
  }
}

/** Keeps every answer of a call, and remembers the last one. */
export function keepAnswers(call: SourceCall, receipts: Receipts) {
  let last: object | undefined
  const keeping: SourceCall = async (id, input) => {
    const answer = await call(id, input)
    receipts.take(id, answer)
    last = answer
    return answer
  }
  return { call: keeping, last: () => last }
}
