// Models that have not seen what they are measured on. The sites fall into parts: each of five is read by a model that
// was trained on the other four. The last part is held back from all of them, and read by the first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Model, readModel, writeModel } from '../src/extraction/model/model.ts'
import { type Example, readExamples } from '../training/examples.ts'
import { folds, heldBack, partOf } from '../training/parts.ts'
import { trainingOptions, trainModel } from '../training/train-model.ts'

export type MeasuredPages = 'folds' | 'held back'

export interface Folds {
  /** Undefined for pages that are not measured. */
  modelFor(site: string): Model | undefined
}

/** `modelsFolder` keeps the models for the next run. */
export async function trainFolds(
  folders: readonly string[],
  measured: MeasuredPages,
  modelsFolder: string | undefined,
): Promise<Folds> {
  const asked = measured === 'folds' ? folds : folds.slice(0, 1)
  const kept = new Map<number, Model>()
  let examples: Example[] | undefined
  for (const part of asked) {
    const file =
      modelsFolder === undefined ? undefined : path.join(modelsFolder, `part-${part}.json`)
    if (file !== undefined && existsSync(file)) {
      kept.set(part, readModel(JSON.parse(readFileSync(file, 'utf8'))))
      continue
    }
    examples ??= await readExamples(folders)
    const startedAt = performance.now()
    const seen = examples.filter(({ site }) => ![part, heldBack].includes(partOf(site)))
    const written = writeModel(trainModel(seen, trainingOptions), 'A part of a measurement')
    if (file !== undefined) writeFileSync(file, JSON.stringify(written))
    kept.set(part, readModel(written))
    console.error(`Part ${part}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  }
  return {
    modelFor(site) {
      const part = partOf(site)
      if (measured === 'folds') return kept.get(part)
      return part === heldBack ? kept.get(folds[0] as number) : undefined
    },
  }
}
