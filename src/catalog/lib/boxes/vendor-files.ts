// Files of callers in a box at a vendor. Shell scripts carry them in parts, as they carry programs, so that every vendor can.
import { fileRefused } from '#core/file-transfer/carry.ts'
import type { SessionFiles } from '#core/session.ts'
import { quote, temporaryFolder, unreadable, writeLines } from './in-box-script.ts'

/** A script is one argument of a program, for which Linux has a limit of 128 KiB. */
const writtenBytesMax = 60_000
/** The output of a script comes back whole, in base64. */
const readBytesMax = 750_000
const special = `echo 'The path is not a regular file'`
const done = 'tollway-done'

/** An upload is held in memory. */
const uploadedBytesMax = 8_000_000

export interface FileCarriers {
  /** Runs a script and resolves to what it printed. */
  readonly run: (script: string, signal: AbortSignal) => Promise<string>
  /** Writes a new file in `/tmp`. Absent: scripts carry its bytes. */
  readonly upload?:
    | ((place: string, bytes: Buffer, signal: AbortSignal) => Promise<void>)
    | undefined
}

export function createVendorFiles({ run, upload }: FileCarriers): SessionFiles {
  async function put(path: string, bytes: Buffer, mode: '>' | '>>', signal: AbortSignal) {
    const file = quote(`./${path}`)
    let append = writeLines(file, bytes, mode)
    if (upload !== undefined && bytes.length > writtenBytesMax) {
      const name = `.tollway-${crypto.randomUUID()}`
      await upload(`/tmp/${name}`, bytes, signal)
      append = `cat ${temporaryFolder}/${name} ${mode}${file} || failed=1
rm -f ${temporaryFolder}/${name}
[ -z "$failed" ]
`
    }
    const printed = await run(writeScript(path, append), signal)
    const lines = printed.trimEnd().split('\n')
    if (lines.at(-1) !== done) throw fileRefused(path, reasonOf(lines))
  }

  async function take(path: string, bytesMax: number, offset: number, signal: AbortSignal) {
    const lines = (await run(readScript(path, offset), signal)).split('\n')
    const [first = '', encoded = ''] = lines
    if (!/^\s*\d+\s*$/.test(first)) throw fileRefused(path, reasonOf(lines))
    const size = Number(first)
    if (size > bytesMax)
      throw fileRefused(path, `The file has ${size} bytes, more than ${bytesMax}`)
    const bytes = Buffer.from(encoded, 'base64')
    if (bytes.length !== Math.min(readBytesMax, Math.max(0, size - offset))) throw unreadable()
    return bytes
  }

  return {
    async write(path, content, signal) {
      await put(path, Buffer.alloc(0), '>', signal)
      const partBytesMax = upload === undefined ? writtenBytesMax : uploadedBytesMax
      for await (const part of inParts(content, partBytesMax)) await put(path, part, '>>', signal)
    },
    async *read(path, bytesMax, signal) {
      for (let offset = 0; ; offset += readBytesMax) {
        const bytes = await take(path, bytesMax, offset, signal)
        yield bytes
        if (bytes.length < readBytesMax) return
      }
    },
  }
}

/** Parts of full length, because each costs a request. */
async function* inParts(content: AsyncIterable<Uint8Array>, bytesMax: number) {
  let waiting = Buffer.alloc(0)
  for await (const bytes of content) {
    waiting = Buffer.concat([waiting, bytes])
    while (waiting.length >= bytesMax) {
      yield waiting.subarray(0, bytesMax)
      waiting = waiting.subarray(bytesMax)
    }
  }
  if (waiting.length > 0) yield waiting
}

/** `append`: the lines that write to the file. */
function writeScript(path: string, append: string): string {
  const file = quote(`./${path}`)
  const folder = path.split('/').slice(0, -1).join('/')
  return `exec 2>&1
mkdir -p -- ${quote(`./${folder}`)} || exit 0
[ ! -e ${file} ] || [ -f ${file} ] || { ${special}; exit 0; }
(
${append}) && echo ${done}
`
}

/** Prints the size of the file and one part of it. */
function readScript(path: string, offset: number): string {
  const file = quote(`./${path}`)
  return `exec 2>&1
[ -e ${file} ] || { echo 'No such file or directory'; exit 0; }
[ -f ${file} ] || { ${special}; exit 0; }
wc -c <${file} || exit 0
tail -c +${offset + 1} -- ${file} 2>/dev/null | head -c ${readBytesMax} | base64 | tr -d '\\n'
echo
`
}

/** What a program of the box complained of last, without its own name. */
function reasonOf(lines: readonly string[]): string {
  const last = lines.findLast((line) => line.trim() !== '') ?? 'no reason was given'
  return last.slice(0, 200).replace(/^\S+: (?:(?:line )?\d+: )?/, '')
}
