// Loads what a page shows, and keeps what it shows while it loads again.
import { newIdempotencyKey } from '@tollway/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isSignedOut, isUnreached, mayPass, pauseAfter, watchConnection } from './gateway.ts'
import { askToSignIn } from './session.ts'

export interface Loaded<Value> {
  /** Undefined until the first answer. */
  readonly value: Value | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
}

/** Loads once for each value of `key`. A later load ends an earlier one. */
export function useLoad<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const [state, setState] = useState<{ key?: string; value?: Value; error?: unknown }>({})
  const [isLoading, setLoading] = useState(true)
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const ending = new AbortController()
    setLoading(true)
    latest.current(ending.signal).then(
      (value) => {
        if (ending.signal.aborted) return
        setState({ key, value })
        setLoading(false)
      },
      (error) => {
        if (ending.signal.aborted) return
        if (isSignedOut(error)) return askToSignIn()
        setState((before) => ({ ...before, error }))
        setLoading(false)
      },
    )
    return () => ending.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  return { value: state.value, error: state.error, isLoading, reload }
}

/**
 * Tries again by itself what has failed for a reason that may pass: when the gateway answers again, or after growing
 * pauses where it answers that it cannot. Returns when that is, as the end of a sentence.
 */
export function useAgain(error: unknown, again: (() => void) | undefined): string | undefined {
  const latest = useRef(again)
  latest.current = again
  const tries = useRef({ error, count: 0 })
  if (tries.current.error !== error)
    tries.current = { error, count: mayPass(error) ? tries.current.count + 1 : 0 }
  const waits = again !== undefined && mayPass(error)
  const pauseSeconds = pauseAfter(tries.current.count - 1)
  useEffect(() => {
    if (!waits) return undefined
    const timer = isUnreached(error)
      ? undefined
      : setTimeout(() => latest.current?.(), 1_000 * pauseSeconds)
    const leave = watchConnection((now) => now === 'up' && latest.current?.())
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [error, waits])
  if (!waits) return undefined
  return isUnreached(error) ? 'as soon as it answers' : `in ${pauseSeconds} seconds`
}

export interface Work {
  readonly isBusy: boolean
  readonly error: unknown
  /** What was done, in a sentence. Empty until then. */
  readonly done: string
  start(): void
  /** What was said of the last time no longer holds: the person changes what they have entered. */
  forget(): void
}

const idle: Omit<Work, 'start' | 'forget'> = { isBusy: false, error: undefined, done: '' }

/** Does one thing at a time, such as what a button does. `work` resolves to what it has done, where that is said. */
export function useWork(work: () => Promise<string | undefined>): Work {
  const [state, setState] = useState(idle)
  return {
    ...state,
    start() {
      if (state.isBusy) return
      setState({ ...idle, isBusy: true })
      work().then(
        (done = '') => setState({ ...idle, done }),
        (error) => {
          if (isSignedOut(error)) askToSignIn()
          setState({ ...idle, error })
        },
      )
    },
    forget: () => setState((now) => (now.isBusy ? now : idle)),
  }
}

/** A key for what is sent, until it has succeeded: what is sent again because its answer was lost is done once. */
export function useIdempotencyKey(sent: unknown) {
  const [round, setRound] = useState(0)
  const key = useMemo(newIdempotencyKey, [JSON.stringify(sent), round])
  return { key, succeeded: () => setRound((before) => before + 1) }
}

/** Does something each time that the person comes back to this tab. */
export function useReturn(work: () => void) {
  useEffect(() => {
    const look = () => document.hidden || work()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [work])
}

/** A value that follows another after it has rested. */
export function useRested<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return rested
}

const refreshMs = 3_000

/** Reads again every few seconds while something runs and the page is seen. */
export function useWhileRunning(isRunning: boolean, read: () => void) {
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => document.hidden || latest.current(), refreshMs)
    return () => clearInterval(timer)
  }, [isRunning])
}
