// Effects: what calls make that stays after them.

interface EffectTerms {
  readonly title: string
  /** It costs its operator, or keeps paid time, until it is ended. */
  readonly outlives: boolean
  /**
   * It can be closed with the plan that has opened it, by the function close_<kind> of its room. Closing it again
   * changes nothing.
   */
  readonly closes?: true
}

/** All kinds of them. */
export const effectKinds = {
  repository: { title: 'a repository', outlives: true },
  inbox: { title: 'an inbox', outlives: true },
  browser: { title: 'a browser', outlives: true, closes: true },
  browser_minutes: { title: 'paid minutes of a browser', outlives: true },
  sandbox: { title: 'a sandbox', outlives: true, closes: true },
  /** At a vendor, which is told to end it. */
  prepaid_resource: { title: 'a paid resource', outlives: true, closes: true },
  /** Made and charged by the session engine. */
  session: { title: 'a session', outlives: true },
  file: { title: 'a file', outlives: false },
  film_project: { title: 'a film project', outlives: false },
  film_media: { title: 'a film medium', outlives: false },
  composition: { title: 'a composition', outlives: false },
  site_index: { title: 'an index', outlives: false },
  indexed_page: { title: 'a page of an index', outlives: false },
  /** The right to an id that a vendor issued. The runner makes it. */
  vendor_id: { title: 'an id of a vendor', outlives: false },
} as const satisfies Readonly<Record<string, EffectTerms>>

export type EffectKind = keyof typeof effectKinds

/** A thing, by its name within its kind. */
export interface MadeThing {
  readonly kind: EffectKind
  readonly subject: string
}

export interface Effect extends MadeThing {
  /**
   * What the effect is a part of, or follows on. While another call that made one of these has not ended, and may be
   * undone, the effect is refused.
   */
  readonly changes?: readonly MadeThing[]
  /** What is needed to undo it. */
  readonly details?: object
}

/** A transaction of the database. */
export interface Transaction {
  query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }>
}

/**
 * Records a thing that the call makes, in the transaction that makes it and before it. The call's end waits for the
 * transaction; a call that is not charged undoes the thing. Throws `unavailable` when the call has ended: then nothing
 * may be made, and while another call may still take away what the effect changes. Throws a TypeError for a kind that
 * the action does not declare in `makes`.
 */
export type RecordEffect = (transaction: Transaction, effect: Effect) => Promise<void>

const termsOf = (makes: readonly EffectKind[]): readonly EffectTerms[] =>
  makes.map((kind) => effectKinds[kind])

export const isClosable = (kind: EffectKind): boolean =>
  termsOf([kind]).some(({ closes }) => closes)

/** What stays after its call until it is ended, in words. Undefined if nothing of it needs to be ended. */
export const outlivingOf = (makes: readonly EffectKind[] = []): string | undefined =>
  termsOf(makes).find(({ outlives }) => outlives)?.title

/** The same for the end of a plan, which closes what can be closed. */
export const outlivingPlanOf = (makes: readonly EffectKind[] = []): string | undefined =>
  outlivingOf(makes.filter((kind) => !isClosable(kind)))
