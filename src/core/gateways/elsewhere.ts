// What only another gateway has: a box, a browser, a folder. The one that is asked says where it is.
import { CallError, type FailureOptions, fail } from '../errors.ts'

/** A gateway by its number, or any gateway of a machine. */
export type GatewayPlace = { readonly gateway: number } | { readonly machine: string }

class ElsewhereError extends Error {
  readonly place: GatewayPlace

  constructor(place: GatewayPlace) {
    super('Another gateway has this.')
    this.place = place
  }
}

/** The contact to another gateway broke after it was asked: it may have done what it was asked for. */
class LostContactError extends Error {}

export const elsewhere = (place: GatewayPlace): CallError =>
  fail('session_elsewhere', { cause: new ElsewhereError(place) })

/** Where it is what a failure has not found here. Undefined for any other failure. */
export function placeOf(thrown: unknown): GatewayPlace | undefined {
  const cause = thrown instanceof CallError ? thrown.cause : undefined
  return cause instanceof ElsewhereError ? cause.place : undefined
}

export const lostContact = (cause: unknown, options: FailureOptions = {}): CallError =>
  fail('unavailable', { ...options, cause: new LostContactError('', { cause }) })

/** Whether another gateway may have done what failed here. */
export const isLostContact = (thrown: unknown): boolean =>
  thrown instanceof CallError && thrown.cause instanceof LostContactError

/** Work that one gateway does for another. The values pass as JSON. */
export interface Errand {
  /** Resolves to the result. Throws what the other gateway throws, and `unavailable` when the contact breaks. */
  send(
    place: GatewayPlace,
    input: unknown,
    options: {
      readonly signal: AbortSignal
      readonly onPart?: ((part: unknown) => void) | undefined
    },
  ): Promise<unknown>
}

export type AnswerErrand = (
  input: unknown,
  options: { readonly signal: AbortSignal; readonly onPart: (part: unknown) => void },
) => Promise<unknown>

/** Declares work that gateways do for each other, with the answer of this one. */
export type DefineErrand = (name: string, answer: AnswerErrand) => Errand
