// Adds the id of the current request to log lines, so that rooms need not pass it on.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '#core/ports.ts'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work`, and everything it starts, for this request. */
export function inRequest(requestId: string, work: () => void): void {
  requestIds.run(requestId, work)
}

/** The log for rooms that answer requests. Work for many requests together uses the plain log. */
export function logWithRequestId(log: Log): Log {
  const add = (fields: object) => {
    const requestId = requestIds.getStore()
    return requestId === undefined ? fields : { requestId, ...fields }
  }
  return {
    debug: (fields, message) => log.debug(add(fields), message),
    info: (fields, message) => log.info(add(fields), message),
    warn: (fields, message) => log.warn(add(fields), message),
    error: (fields, message) => log.error(add(fields), message),
  }
}
