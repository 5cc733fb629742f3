// `tollway`, `npx tollway` and `npm run tollway --` as programs on the PATH. They hand their words to the repository's
// own command inside the test, because each process of it would spend most of its time on starting.
import { once } from 'node:events'
import { chmod, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { runProgram } from '@tollway/command'
import { portOf } from '#platform/http/port.ts'
import { verbGroups } from '../../../src/command/verbs.ts'

/** Their words, what is typed and where they run go to the test; what was printed comes back in two files. */
const program = (address: string, folder: string) => `#!/bin/bash
case "$(basename "$0") $*" in
  "npm run tollway -- "*) shift 3 ;;
  "npx tollway "* | "npx @tollway/command "*) shift ;;
  "npx node "*) shift; exec ${process.execPath} "$@" ;;
  tollway*) ;;
  *) echo "This program is not one of the test: $0 $*" >&2; exit 127 ;;
esac
form=()
for word in "$@"; do form+=(--form-string "word=$word"); done
for name in TOLLWAY_URL TOLLWAY_KEY ADMIN_TOKEN HOME; do form+=(--form-string "$name=\${!name-}"); done
code=$(curl -q -sS "\${form[@]}" --form-string "folder=$PWD" -F typed=@- ${address})
cat ${folder}/stderr >&2
cat ${folder}/stdout
exit "$code"
`

export async function openCommandDoor(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ close(): void }> {
  const server = createServer(async (request, response) => {
    response.end(String(await runFor(await readForm(request), folder, environment)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${portOf(server)}`
  const file = path.join(folder, 'tollway')
  await writeFile(file, program(address, folder))
  await chmod(file, 0o755)
  for (const name of ['npm', 'npx', 'tollway-command']) await symlink(file, path.join(folder, name))
  return { close: () => void server.close() }
}

async function readForm(request: IncomingMessage): Promise<FormData> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const type = request.headers['content-type'] ?? ''
  return await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData()
}

/** Resolves to the exit code. A command that follows what happens is ended by Ctrl-C once it has printed something. */
async function runFor(
  form: FormData,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const words = form.getAll('word').map(String)
  const typed = form.get('typed')
  const keys = ['TOLLWAY_URL', 'TOLLWAY_KEY', 'ADMIN_TOKEN', 'HOME']
  const interruption = new AbortController()
  const printed: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const stream = (name: keyof typeof printed) => ({
    write(chunk: string | Uint8Array) {
      printed[name].push(Buffer.from(chunk))
      if (words.includes('--follow')) interruption.abort()
    },
  })
  // Paths of files are those of the process.
  const before = process.cwd()
  process.chdir(String(form.get('folder')))
  const code = await runProgram(words, {
    groups: verbGroups({ startGateway: async () => {}, version: '0' }),
    version: '0',
    environment: {
      ...environment,
      ...Object.fromEntries(keys.map((key) => [key, String(form.get(key))])),
    },
    stdin: Readable.from([typed instanceof File ? Buffer.from(await typed.arrayBuffer()) : '']),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    folder: process.cwd(),
    signal: interruption.signal,
  }).finally(() => process.chdir(before))
  for (const name of ['stdout', 'stderr'] as const)
    await writeFile(path.join(folder, name), Buffer.concat(printed[name]))
  return code
}
