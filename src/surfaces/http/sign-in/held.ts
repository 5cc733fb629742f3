// The accounts that one browser is signed in to. It acts for one of them; the others wait until the person switches.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BrowserSignIn, SignIns } from '#accounts/sign-in/sign-ins.ts'
import { othersMax, readCookie, readOthers, setCookie, setOthers } from './cookie.ts'

export interface HeldSignIn {
  readonly token: string
  readonly signIn: BrowserSignIn
}

/** What the browser holds, and which of it the next sign-in to a further account ends. */
export interface Held {
  readonly current: HeldSignIn | undefined
  readonly others: readonly HeldSignIn[]
  readonly endsNext: HeldSignIn | undefined
}

export interface HeldSignIns {
  /** What the browser acts with, and what waits. Those that have ended, or whose key has, are left out. */
  read(request: FastifyRequest): Promise<Held>
  /**
   * The browser acts with a new sign-in from now on. Those to other accounts wait, and one to the same account ends.
   * Resolves to how many wait.
   */
  enter(request: FastifyRequest, reply: FastifyReply, opened: HeldSignIn): Promise<number>
  /** Acts for another account that the browser holds; null is the operator without one. False if it holds none such. */
  switchTo(request: FastifyRequest, reply: FastifyReply, accountId: string | null): Promise<boolean>
  /** Ends what the browser holds besides the current sign-in. */
  endOthers(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function createHeldSignIns(signIns: Pick<SignIns, 'find' | 'end'>): HeldSignIns {
  async function find(token: string | undefined): Promise<HeldSignIn | undefined> {
    const signIn = token === undefined ? undefined : await signIns.find(token)
    return token === undefined || !signIn?.isUsable ? undefined : { token, signIn }
  }

  async function read(request: FastifyRequest): Promise<Held> {
    const token = readCookie(request)
    const found = await Promise.all(readOthers(request).map(find))
    const current = await find(token)
    const others = found.filter(
      (held): held is HeldSignIn => held !== undefined && held.token !== token,
    )
    const isFull = current !== undefined && others.length >= othersMax
    return { current, others, endsNext: isFull ? others.at(-1) : undefined }
  }

  /** Sets both cookies. The one of the others is left alone where there are none and never were. */
  function keep(
    request: FastifyRequest,
    reply: FastifyReply,
    current: HeldSignIn,
    others: readonly HeldSignIn[],
  ) {
    setCookie(reply, { token: current.token, expiresAt: current.signIn.expiresAt })
    if (others.length === 0 && readOthers(request).length === 0) return
    const last = Math.max(...others.map(({ signIn }) => signIn.expiresAt.getTime()), 0)
    setOthers(
      reply,
      others.map(({ token }) => token),
      new Date(last),
    )
  }

  return {
    read,
    async enter(request, reply, opened) {
      const { current, others } = await read(request)
      const held = [...(current === undefined ? [] : [current]), ...others].filter(
        ({ token }) => token !== opened.token,
      )
      const isSame = ({ signIn }: HeldSignIn) => accountIdOf(signIn) === accountIdOf(opened.signIn)
      const different = held.filter((each) => !isSame(each))
      const waiting = different.slice(0, othersMax)
      const ended = [...held.filter(isSame), ...different.slice(othersMax)]
      for (const { token } of ended) await signIns.end(token)
      keep(request, reply, opened, waiting)
      return waiting.length
    },
    async switchTo(request, reply, accountId) {
      const { current, others } = await read(request)
      const wanted = others.find(({ signIn }) => accountIdOf(signIn) === accountId)
      if (wanted === undefined)
        return current !== undefined && accountIdOf(current.signIn) === accountId
      const rest = others.filter((each) => each !== wanted)
      keep(request, reply, wanted, current === undefined ? rest : [current, ...rest])
      return true
    },
    async endOthers(request, reply) {
      const { others } = await read(request)
      for (const { token } of others) await signIns.end(token)
      if (readOthers(request).length > 0) setOthers(reply, [], new Date(0))
    },
  }
}

/** What a sign-in to this account ends. Where the browser holds the account already, it ends no other. */
export const endedBy = ({ current, others, endsNext }: Held, accountId: string | undefined) =>
  [current, ...others].some((each) => each?.signIn.account?.id === accountId)
    ? undefined
    : endsNext?.signIn

/** Null: the operator without an account. */
const accountIdOf = ({ account }: BrowserSignIn) => account?.id ?? null
