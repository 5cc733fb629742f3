// What models answer besides conversations.

export const modelSurfaces = [
  'embeddings',
  'images',
  'speech',
  'transcriptions',
  'moderations',
  'rerank',
] as const
export type ModelSurface = (typeof modelSurfaces)[number]

/** What one call of a surface used, as the vendor counts it. */
export interface SurfaceUsage {
  /** Tokens of text. Absent counts are 0. */
  readonly promptTokens?: number
  readonly cachedTokens?: number
  readonly imageTokens?: number
  readonly audioTokens?: number
  readonly completionTokens?: number
  readonly seconds?: number
  readonly characters?: number
  readonly searches?: number
  readonly pictures?: PictureCount
}

/** Its tokens of every kind, for limits of tokens per minute. */
export const tokensOfUsage = (usage: SurfaceUsage): number =>
  (usage.promptTokens ?? 0) +
  (usage.imageTokens ?? 0) +
  (usage.audioTokens ?? 0) +
  (usage.completionTokens ?? 0)

export interface PictureCount {
  readonly quality: string
  readonly size: string
  readonly count: number
}

/** Turns texts of any length into vectors, on this machine. */
export interface SentenceEncoder {
  readonly dimensions: number
  /** `vector` has length 1; it is undefined for a text without any known token. Lets other work go on meanwhile. */
  encode(
    text: string,
    signal: AbortSignal,
  ): Promise<{ readonly vector: readonly number[] | undefined; readonly tokens: number }>
}
