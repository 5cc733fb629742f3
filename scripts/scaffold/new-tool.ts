// `npm run new-tool shelves` writes a tool of the MCP server and lists it.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finishFiles } from './finish-files.ts'
import { addImport, addToList, typeNameOf } from './source-text.ts'

const [name = '', root = path.join(import.meta.dirname, '../..')] = process.argv.slice(2)
const folder = path.join(root, 'src/surfaces/mcp/tools')
const file = path.join(folder, `${name}.ts`)

if (!/^[a-z][a-z-]*$/.test(name)) {
  console.error('Name the tool: npm run new-tool shelves.')
  process.exitCode = 1
} else if (existsSync(file)) {
  console.error(`${path.relative(root, file)} exists already.`)
  process.exitCode = 1
} else {
  const create = `create${typeNameOf(name)}Tools`
  const listFile = path.join(folder, 'tools.ts')
  await writeFile(file, toolText(create), { flag: 'wx' })
  const listed = addToList(await readFile(listFile, 'utf8'), 'const own = [', `...${create}()`)
  await writeFile(listFile, addImport(listed, create, `./${name}.ts`))
  await finishFiles([file, listFile], root)
  console.log(`
Fill in what stands in angle brackets. The list of tools has a limit of tokens, which a test measures. Then run:
  UPDATE_SNAPSHOTS=1 npx vitest run test/scenarios/mcp/tools.test.ts`)
}

function toolText(create: string): string {
  return `// <What the tool is for.>
import { z } from '#core/action.ts'
import { freeAnswer } from '../envelope.ts'
import { defineTool, readsOnly, type Tool } from './tool.ts'

export function ${create}(): readonly Tool[] {
  return [
    defineTool({
      name: '${name.replaceAll('-', '_')}',
      title: '<A verb and an object>',
      description: '<What it does and when to use it, in one or two sentences. What it costs.>',
      annotations: readsOnly,
      input: z.strictObject({}),
      run: async () => freeAnswer({ rows: [] }),
    }),
  ]
}
`
}
