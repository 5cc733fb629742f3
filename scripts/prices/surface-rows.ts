// Prices of what models answer besides chats, as a LiteLLM map has them: dollars for a token, a second, a character, a
// query or a picture.

import { readUsd, readUsdPerMillion } from '#core/model-price.ts'
import type { ModelSurface } from '#core/models/surfaces.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

const surfaces: Readonly<Record<string, ModelSurface>> = {
  embedding: 'embeddings',
  image_generation: 'images',
  audio_speech: 'speech',
  audio_transcription: 'transcriptions',
  moderation: 'moderations',
  rerank: 'rerank',
}
const secondsPerMinute = 60

export const isSurfaceRow = (row: unknown): boolean => surfaceOf(row) !== undefined

const surfaceOf = (row: unknown): ModelSurface | undefined =>
  surfaces[String((row as { mode?: unknown } | null)?.mode)]

/** The price of a row, or undefined where the map does not say what the surface counts. */
export function surfaceRow(
  name: string,
  row: UntypedJson,
): readonly [slug: string, price: object] | undefined {
  const surface = surfaceOf(row)
  if (surface === undefined) return undefined
  const plain = (usd: number) => Number(usd.toPrecision(12))
  const perToken = (usd: unknown) =>
    typeof usd === 'number' ? readUsdPerMillion(plain(usd * 1e6)) : undefined
  const each = (usd: unknown) => (typeof usd === 'number' ? readUsd(plain(usd)) : undefined)
  const perMinute =
    typeof row.input_cost_per_second === 'number'
      ? readUsd(plain(row.input_cost_per_second * secondsPerMinute))
      : undefined
  const picture = each(row.output_cost_per_image ?? row.input_cost_per_image)
  const price = {
    surface,
    prompt: perToken(row.input_cost_per_token) ?? 0,
    completion:
      perToken(
        row.output_cost_per_image_token ??
          row.output_cost_per_audio_token ??
          row.output_cost_per_token,
      ) ?? 0,
    cache_read: perToken(row.cache_read_input_token_cost),
    image_prompt: perToken(row.input_cost_per_image_token),
    audio_prompt: perToken(row.input_cost_per_audio_token),
    character: perToken(row.input_cost_per_character),
    minute: surface === 'transcriptions' ? perMinute : undefined,
    search: each(row.input_cost_per_query),
    pictures: picture === undefined ? undefined : { standard: { '1024x1024': picture } },
    context: row.max_input_tokens,
    output: surface === 'embeddings' ? undefined : row.max_output_tokens,
  }
  const slug = name.includes('/') ? name : `${row.litellm_provider}/${name}`
  return [slug, JSON.parse(JSON.stringify(price))]
}
