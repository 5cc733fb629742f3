// The limits of Git repositories. Callers read them in docs/use/repositories.md.

export const repositoriesPerAccountMax = 1_000
/** Requests of `git` that this gateway works on at once. Others wait in line. */
export const gitAtOnceMax = 8
export const gitWaitingMax = 100
/** The same for the repositories of one account, so that others find a place. */
export const accountAtOnceMax = 4
export const accountWaitingMax = 40
/** A client that neither sends nor reads for this time has gone. */
export const silenceMsMax = 60_000
/** Pushes of one account follow each other, so that its quota is exact. */
export const pushesWaitingMax = 20
/** Another gateway may be receiving a push to the same repository. */
export const pushTurnSeconds = 30

/** What a push sends before its pack: a line for each branch or tag. */
export const commandBytesMax = 1_000_000
/** A fetch sends the commits that it has. Larger ones are refused by Git itself. */
export const fetchBytesMax = 10_000_000
/** Packs that a repository may have before they are combined. */
export const packsMax = 20
/** Branches and tags that are files of their own, each of which takes a block of the disk, before they are combined. */
export const looseReferencesMax = 100

/** Each process of Git. */
export const gitLimits = {
  memoryBytes: 1_000_000_000,
  cpuSeconds: 300,
  processes: 64,
  wallMs: 600_000,
} as const
