// Files of callers in a box at a vendor. Shell scripts carry them in parts, as they carry programs, so that every
// vendor can.
import { fileRefused } from '#core/file-transfer/carry.ts'
import { type ContentPart, inParts } from '#core/file-transfer/parts.ts'
import type { SessionFiles } from '#core/session.ts'
import { quote, unreadable, writeLines } from './in-box-script.ts'

/** A script is one argument of a program, for which Linux has a limit of 128 KiB. */
const writtenBytesMax = 60_000
/** The output of a script comes back whole, in base64. */
const readBytesMax = 750_000
const special = `echo 'The path is not a regular file'`
const done = 'tollway-done'
/** A box that does not answer keeps the parts of a file that was not finished. */
const dropTimeoutMs = 10_000

/** An upload is held in memory. */
const uploadedBytesMax = 8_000_000

/** Its parts wait beside it for the last one. */
interface NewFile {
  readonly path: string
  readonly folder: string
  readonly parts: string
}

export interface FileCarriers {
  /** Runs a script and resolves to what it printed. */
  readonly run: (script: string, signal: AbortSignal) => Promise<string>
  /** Absent: scripts carry all bytes. */
  readonly upload?: {
    /** In the words of a shell. */
    readonly folder: string
    /** Writes a new file into the folder. */
    readonly put: (name: string, bytes: Buffer, signal: AbortSignal) => Promise<void>
  }
}

export function createVendorFiles({ run, upload }: FileCarriers): SessionFiles {
  async function put(file: NewFile, { bytes, isLast }: ContentPart, signal: AbortSignal) {
    let append = writeLines(quote(file.parts), bytes, '>>')
    if (upload !== undefined && bytes.length > writtenBytesMax) {
      const name = `.tollway-${crypto.randomUUID()}`
      const place = `${upload.folder}/${name}`
      await upload.put(name, bytes, signal)
      append = `cat ${place} >>${quote(file.parts)} || failed=1
rm -f ${place}
[ -z "$failed" ]
`
    }
    const printed = await run(writeScript(file, append, isLast), signal)
    const lines = printed.trimEnd().split('\n')
    if (lines.at(-1) !== done) throw fileRefused(file.path, reasonOf(lines))
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
      const folder = `./${path}`.split('/').slice(0, -1).join('/')
      const file = { path, folder, parts: `${folder}/.part-${crypto.randomUUID()}` }
      const partBytesMax = upload === undefined ? writtenBytesMax : uploadedBytesMax
      try {
        for await (const part of inParts(content, partBytesMax)) await put(file, part, signal)
      } catch (thrown) {
        const end = AbortSignal.timeout(dropTimeoutMs)
        await run(`rm -f -- ${quote(file.parts)}`, end).catch(() => {})
        throw thrown
      }
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

/** `append`: the lines that add a part. */
function writeScript({ path, folder, parts }: NewFile, append: string, isLast: boolean): string {
  const file = quote(`./${path}`)
  const finish = `{ [ ! -x ${file} ] || chmod +x ${quote(parts)}; } && mv -f -- ${quote(parts)} ${file} && `
  return `exec 2>&1
mkdir -p -- ${quote(folder)} || exit 0
[ ! -e ${file} ] || [ -f ${file} ] || { ${special}; exit 0; }
(
${append}) && ${isLast ? finish : ''}echo ${done}
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
