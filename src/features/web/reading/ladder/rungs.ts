// A rung is one way to get a page. The ladder climbs them in order and treats ours and those of vendors alike.

import type { PageFormat, PageFrame, PageKind } from '@tollway/reader'
import type { RunContext } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import type { BodyCut } from '#platform/egress/body.ts'
import type { Picture } from '../browsers/picture.ts'
import type { VisitSkill, VisitWish } from './visit.ts'

export interface RungReply {
  readonly kind: PageKind
  readonly body: string
  /** Why the body ends early. */
  readonly truncated?: BodyCut | undefined
  /** What its frames of the same site show. */
  readonly frames?: readonly PageFrame[]
  readonly picture?: Picture | undefined
  /** Its scripts have run. */
  readonly rendered?: boolean
  readonly finalUrl: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** For bodies that do not contain it. */
  readonly title?: string | null
}

/** How a rung reaches the actions of the catalog. */
export type Calling = Pick<RunContext<unknown>, 'call' | 'available'>

export interface RungRequest extends Calling {
  readonly url: string
  readonly format: PageFormat
  readonly mainContent: boolean
  readonly visit?: VisitWish | undefined
  readonly signal: AbortSignal
  /** Who pays. */
  readonly caller: Caller
  /** By the clock: when the call ends, if that is known. */
  readonly endsAt?: number | undefined
  /** Resolves when a page of this many bytes may be held. Throws CallError if that takes too long. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
  /** Throws EgressRefusal if the target of a redirect may not be read. The final address is checked too. */
  readonly admitRedirect?: ((url: string) => Promise<void>) | undefined
}

/** The HTML of a public page of this gateway, if the address is exactly that of one. */
export type OwnPages = (url: string) => string | undefined

export type Availability = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Rung {
  /** 1 no JavaScript, 2 rendered, 3 cheap anti-bot; 4 to 6 belong to the deep tier. */
  readonly position: number
  readonly provider: string
  readonly action: string
  /** Its calls are actions of the catalog, whose hops the runner records. */
  readonly recordedByRunner?: true
  /** What it can do for a visit. A visit that needs more skips it. */
  readonly skills?: readonly VisitSkill[]
  /** It is tried only for visits that need this skill. */
  readonly onlyFor?: VisitSkill
  availability(calling: Calling): Availability | Promise<Availability>
  /** Throws when there was no reply; the ladder then goes on. CallErrors end the call. */
  read(request: RungRequest): Promise<RungReply>
}

const lastCheapPosition = 3

export function isDeep({ position }: Rung): boolean {
  return position > lastCheapPosition
}
