import type { Log } from '#core/ports.ts'

/** Enough for the errors of one test, which the last ones explain best. */
const errorsMax = 10
const errors: unknown[] = []

const ignore = () => {}

/** Prints nothing. The errors are kept for `keep-errors.ts`. */
export const silentLog: Log = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error(fields, message) {
    errors.push(message, fields)
    errors.splice(0, errors.length - 2 * errorsMax)
  },
}

/** What the gateways of this process logged as errors since the last time that this was asked. */
export const takeLoggedErrors = (): readonly unknown[] => errors.splice(0)
