// Pages of plugins in the console: their modules are files beside its own, and the document lists them.
import { readFile } from 'node:fs/promises'
import type { OfPlugin, PluginPage } from '#core/rooms/plugin-doors.ts'
import { storeBytes } from '../doors/stored-answer.ts'
import type { BuiltConsole } from './built.ts'

const quoted = (value: unknown) =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Throws an Error that names the plugin of a module that cannot be read. */
export async function withPluginPages(
  built: BuiltConsole,
  pages: readonly OfPlugin<PluginPage>[],
): Promise<BuiltConsole> {
  if (pages.length === 0) return built
  const files = new Map(built.files)
  for (const { plugin, name, file } of pages) {
    const text = await readFile(file).catch((cause: Error) => {
      throw new Error(`The page ${name} of the plugin ${plugin} cannot be read: ${cause.message}`)
    })
    const stored = storeBytes(text, 'text/javascript; charset=utf-8')
    files.set(`plugins/${plugin}/${name}.js`, { ...stored, isHashed: false })
  }
  const listed = pages.map(({ plugin, name, title }) => ({
    path: `/plugins/${plugin}/${name}`,
    title,
  }))
  const meta = `<meta name="plugin-pages" content="${quoted(listed)}"></head>`
  const text = built.page.plain.toString('utf8').replace('</head>', () => meta)
  const page = { ...storeBytes(Buffer.from(text), built.page.type), isHashed: false }
  return { page, files }
}
