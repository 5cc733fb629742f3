import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { errorCodeOf, errorMessageOf } from '#platform/thrown.ts'

/** The variables of the `.env` file in a folder. None without such a file. Throws an Error that says what to do. */
export function readEnvironmentFile(folder: string): Readonly<Record<string, string>> {
  try {
    return parseEnv(readFileSync(path.join(folder, '.env'), 'utf8')) as Record<string, string>
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return {}
    throw new Error(`The .env file cannot be read: ${errorMessageOf(error)}. Fix or remove it.`)
  }
}

/** Adds the variables of the `.env` file in the working directory to those of the process. Returns their names. */
export function loadEnvironmentFile(): readonly string[] {
  const names = Object.keys(readEnvironmentFile('.'))
  if (names.length > 0) process.loadEnvFile()
  return names
}
