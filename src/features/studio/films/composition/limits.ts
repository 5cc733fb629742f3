// What a composition may hold. Each limit bounds the memory or the time of a render.

export const compositionLimits = {
  tracks: 24,
  clips: 120,
  /** The end of the last clip. */
  filmSeconds: 900,
  idCharacters: 100,
  textCharacters: 2_000,
  captionWords: 5_000,
  captionCues: 1_000,
  /** Of an SRT or WebVTT file. */
  captionCharacters: 200_000,
  effectsOfClip: 8,
  excludedRanges: 50,
  reframeSegments: 50,
  /** Of a volume that changes. */
  curvePoints: 50,
  /** Parts of media that are decoded: each excluded range and each repetition of a trimmed loop makes one more. */
  partsOfClip: 60,
  partsOfFilm: 300,
} as const
