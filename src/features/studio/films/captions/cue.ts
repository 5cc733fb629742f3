/** Words that are shown for a time, in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A word as it is spoken. */
export interface SpokenWord extends Cue {}

/** A cue of words, of which one is spoken at a time. */
export interface SpokenCue extends Cue {
  readonly words: readonly SpokenWord[]
}
