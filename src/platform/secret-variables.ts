import { readFileSync } from 'node:fs'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Adds the secrets that are in files: `X402_GAS_KEY_FILE` names the file that holds X402_GAS_KEY. Throws an Error with
 * a sentence for a file that cannot be read.
 */
export function withSecretFiles(environment: Variables): Variables {
  const read = Object.entries(environment).flatMap(([name, file]) => {
    const setting = name.replace(/_FILE$/, '')
    if (setting === name || !file || !/(_KEY|_TOKEN|_KEY_PREVIOUS)$/.test(setting)) return []
    return [[setting, readSecret(name, file)] as const]
  })
  return { ...environment, ...Object.fromEntries(read) }
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new Error(`The configuration is invalid. ${name}: the file ${file} cannot be read.`, {
      cause,
    })
  }
}
