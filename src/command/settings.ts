import { readEnvironmentFile } from '#start/environment-file.ts'
import { type Config, readConfig } from '../config.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings of the gateway in a folder, as its start reads them. Throws an Error with a sentence for each that is
 * wrong.
 */
export const readSettings = (environment: Environment, folder: string): Config =>
  readConfig({ ...readEnvironmentFile(folder), ...environment })
