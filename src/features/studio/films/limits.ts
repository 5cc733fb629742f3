// The limits of films. A caller reads them in docs/limits.md.

/** A project is forgotten so long after its last save, and media after its upload. */
export const keptDays = 30
export const projectsPerAccountMax = 1_000
export const mediaPerAccountMax = 1_000
