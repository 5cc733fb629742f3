// `tollway connect`: writes the configuration of a client that speaks MCP, with the address and the key filled in.
import os from 'node:os'
import path from 'node:path'
import { writeClientEntry } from '../client-files.ts'
import { UsageError } from '../usage-error.ts'
import { defineVerb, type Surroundings } from '../verb.ts'

export const connect = defineVerb({
  name: 'connect',
  summary: 'Connect an MCP client, an editor or a framework to the gateway.',
  details:
    'Writes the configuration file of the client, with the address of the gateway and the key that the command uses, and leaves all other entries as they are. What is not configured by a file is printed. Without a client, it lists those that it knows. The key can spend what the account has: `tollway keys create --per-day 100` makes one with a limit, and `--key` uses it.',
  operands: {
    client: { about: 'The client: `cursor`, `codex`, `claude-code`.', kind: 'optional' },
  },
  options: {
    print: { about: 'Print the configuration instead of writing it.' },
    key: { about: 'The API key to write. Default: the key of the command.', value: 'KEY' },
    file: { about: 'Write this file instead of that of the client.', value: 'PATH' },
  },
  examples: ['connect', 'connect cursor', 'connect codex --print'],
  async run({ operands, options }, surroundings) {
    const { connection, environment, typedIn, output } = surroundings
    const { connections, key_placeholder: placeholder } =
      await connection.tollway.request('GET /api/v1/connections')
    if (operands.client === undefined) {
      const rows = connections.map(({ id, title }) => ({ id, title }))
      output.print({ clients: rows }, () =>
        rows.map(({ id, title }) => `${id.padEnd(14)}${title}`).join('\n'),
      )
      return
    }
    const found = connections.find(({ id }) => id === operands.client)
    if (found === undefined)
      throw new UsageError(
        `"${operands.client}" is not a client that it knows. Name one of ${connections.map(({ id }) => id).join(', ')}.`,
      )
    const key = options.key ?? (await lastingKey(surroundings))
    const text = fillIn(found.text, placeholder, key)
    const known = found.file?.paths[process.platform]
    if (options.print || found.file === undefined || (known ?? options.file) === undefined) {
      output.print({ client: found.id, text }, () => `${found.does}\n\n${text}`)
      if (key === undefined) output.note(signInNote)
      return
    }
    const file =
      options.file === undefined
        ? homePath(known ?? '', environment)
        : path.resolve(typedIn, options.file)
    const added = {
      ...found.file,
      entry: filledEntry(found.file.entry, placeholder, key),
      text: key === undefined ? withoutLines(text, placeholder) : text,
    }
    await writeClientEntry(file, added, { hasKey: key !== undefined })
    output.print({ client: found.id, file, has_key: key !== undefined }, () =>
      [
        `${found.title} is connected to ${connection.baseUrl} by ${file}. Start it again.`,
        ...(key === undefined ? [signInNote] : []),
      ].join('\n'),
    )
  },
})

const signInNote =
  'No key is written: the client asks you to sign in. `tollway login` stores a key, and `tollway login --new` opens an account.'

/** A token of a browser sign-in ends after an hour, so it is worth nothing in a file. */
async function lastingKey({ connection, environment }: Surroundings): Promise<string | undefined> {
  const { credentials, baseUrl, currentKey } = connection
  const isToken = typeof credentials.of(baseUrl) === 'object' && !environment.TOLLWAY_KEY
  return isToken ? undefined : await currentKey()
}

const fillIn = (text: string, placeholder: string, key: string | undefined) =>
  key === undefined ? text : text.replaceAll(placeholder, key)

/** The entry with the key; without one, without the fields that would hold it. */
function filledEntry(
  entry: Readonly<Record<string, unknown>>,
  placeholder: string,
  key: string | undefined,
): Record<string, unknown> {
  const filled = Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
    const text = JSON.stringify(value)
    if (!text.includes(placeholder)) return [[name, value]]
    if (key !== undefined) return [[name, JSON.parse(fillIn(text, placeholder, key))]]
    const rest =
      typeof value === 'object' && value !== null ? filledEntry({ ...value }, placeholder, key) : {}
    return Object.keys(rest).length === 0 ? [] : [[name, rest]]
  })
  return Object.fromEntries(filled)
}

const withoutLines = (toml: string, placeholder: string) =>
  toml
    .split('\n')
    .filter((line) => !line.includes(placeholder))
    .join('\n')

/** `~` is the home folder, and `%APPDATA%` that of Windows. */
function homePath(written: string, environment: Surroundings['environment']): string {
  const home = environment.HOME || os.homedir()
  const appData = environment.APPDATA || path.join(home, 'AppData', 'Roaming')
  return path.normalize(written.replace(/^~/, home).replace('%APPDATA%', appData))
}
