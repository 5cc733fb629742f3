// MCP servers as their makers publish them, as programs.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)

/** What they and their dependencies are installed in. */
export const mcpServersFolder = path.resolve(
  path.dirname(require.resolve('@modelcontextprotocol/server-memory/package.json')),
  '../..',
)

/** The file that Node runs. */
export async function mcpServerFile(name: string): Promise<string> {
  const home = path.join(mcpServersFolder, name)
  const manifest = await readFile(path.join(home, 'package.json'), 'utf8')
  const { bin } = JSON.parse(manifest) as { bin: string | Record<string, string> }
  return path.join(home, typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? ''))
}
