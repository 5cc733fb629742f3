// The fonts of this machine.
import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { type FontFile, readFontFile } from './font-file.ts'
import { createFontShelf, type FontShelf } from './shelf.ts'

/** Where fontconfig looks for the fonts of all users. */
const folders = ['/usr/share/fonts', '/usr/local/share/fonts']
const fontFile = /\.(ttf|otf|ttc|otc)$/i
const filesMax = 20_000
const readAtOnce = 16

let installed: Promise<FontShelf | undefined> | undefined

/** Undefined where no font is found, so that it cannot be told what is missing. Read once. */
export function installedFonts(): Promise<FontShelf | undefined> {
  installed ??= findFonts()
  return installed
}

async function findFonts(): Promise<FontShelf | undefined> {
  const files = await fontFiles()
  const fonts: FontFile[] = []
  for (let at = 0; at < files.length; at += readAtOnce) {
    const some = files
      .slice(at, at + readAtOnce)
      .map((file) => readFontFile(file).catch(() => undefined))
    for (const font of await Promise.all(some)) if (font !== undefined) fonts.push(font)
  }
  return fonts.length === 0 ? undefined : createFontShelf(distinct(fonts))
}

async function fontFiles(): Promise<string[]> {
  const found = new Set<string>()
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true }).catch(() => [])
    for (const entry of entries)
      if (fontFile.test(entry) && found.size < filesMax)
        found.add(await realpath(path.join(folder, entry)).catch(() => path.join(folder, entry)))
  }
  return [...found]
}

const isStyled = ({ place }: FontFile) => /bold|italic|oblique|light|thin|black/i.test(place.file)

/** The weights and slopes of a family have the same characters. The plain one is taken. */
function distinct(fonts: readonly FontFile[]): FontFile[] {
  const plainLast = fonts.toSorted((one, other) => Number(isStyled(other)) - Number(isStyled(one)))
  const byContent = new Map(
    plainLast.map((font) => [`${font.family} ${font.coverage.join()}`, font] as const),
  )
  return [...byContent.values()]
}
