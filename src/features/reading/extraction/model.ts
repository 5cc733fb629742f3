// The trained model as it is kept in the repository: trees, what they were trained on, and which features they expect.
import { readFileSync } from 'node:fs'
import { featureNames } from './features.ts'
import type { Trees } from './trees.ts'
import { hashText } from './words.ts'

export const modelVersion = 1
export const modelFile = new URL('./model.json', import.meta.url)

export interface WrittenModel {
  readonly version: number
  readonly credits: string
  /** Stands for the names of the features and their order. */
  readonly features: number
  readonly stages: readonly WrittenTrees[]
}

interface WrittenTrees {
  readonly base: number
  /** Little-endian numbers as base64. */
  readonly roots: string
  readonly nodeFeatures: string
  readonly nodeRights: string
  readonly nodeValues: string
}

/** The first stage looks at each block by itself, each later one also at what the stage before thought of the page. */
export interface Model {
  readonly stages: readonly Trees[]
}

let loaded: Model | undefined

export function loadModel(): Model {
  loaded ??= readModel(JSON.parse(readFileSync(modelFile, 'utf8')) as WrittenModel)
  return loaded
}

export function readModel(written: WrittenModel): Model {
  if (written.version !== modelVersion || written.features !== hashText(featureNames.join('\n')))
    throw new Error(
      'The extraction model was trained on other features than these. Train it again: npm run train <data folder>',
    )
  return { stages: written.stages.map(readTrees) }
}

function readTrees(written: WrittenTrees): Trees {
  return {
    base: written.base,
    roots: new Uint32Array(bytesOf(written.roots)),
    features: new Uint16Array(bytesOf(written.nodeFeatures)),
    rights: new Uint16Array(bytesOf(written.nodeRights)),
    values: new Float32Array(bytesOf(written.nodeValues)),
  }
}

export function writeModel({ stages }: Model, credits: string): WrittenModel {
  return {
    version: modelVersion,
    credits,
    features: hashText(featureNames.join('\n')),
    stages: stages.map(({ base, roots, features, rights, values }) => ({
      base,
      roots: textOf(roots),
      nodeFeatures: textOf(features),
      nodeRights: textOf(rights),
      nodeValues: textOf(values),
    })),
  }
}

function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64')).buffer
}

function textOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
