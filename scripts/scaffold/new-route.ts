// `npm run new-route shelves` writes a file with a route of its own and lists it in the public document. With
// `--operator`, it is a route of the operator.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { finishFiles } from './finish-files.ts'
import { addImport, addToList, typeNameOf } from './source-text.ts'

const { values, positionals } = parseArgs({
  options: { operator: { type: 'boolean', default: false }, root: { type: 'string' } },
  allowPositionals: true,
})
const root = values.root ?? path.join(import.meta.dirname, '../..')
const [name = ''] = positionals
const door = path.join(root, 'src/surfaces/http', values.operator ? 'admin' : 'routes')
const file = path.join(door, `${name}.ts`)
const list = path.join(
  root,
  'src/surfaces/openapi',
  values.operator ? 'operator-routes.ts' : 'routes.ts',
)

if (!/^[a-z][a-z-]*$/.test(name)) {
  console.error('Name what the route is about: npm run new-route shelves.')
  process.exitCode = 1
} else if (existsSync(file)) {
  console.error(`${path.relative(root, file)} exists already.`)
  process.exitCode = 1
} else {
  const title = typeNameOf(name)
  await writeFile(file, routeText(`list${title}`, `add${title}Routes`), { flag: 'wx' })
  const described = await readFile(list, 'utf8')
  const opening = `${values.operator ? 'operatorRoutes' : 'publicRoutes'}: readonly RouteDefinition[] = [`
  const from = `../http/${values.operator ? 'admin' : 'routes'}/${name}.ts`
  await writeFile(
    list,
    addImport(addToList(described, opening, `list${title}`), `list${title}`, from),
  )
  await finishFiles([file, list], root)
  const caller = values.operator ? 'src/surfaces/http/admin/admin.ts' : 'src/app/doors.ts'
  console.log(`
Fill in what stands in angle brackets, and call add${title}Routes in ${caller}. Then run:
  npm run generate && npx vitest run test/scenarios/published`)
}

function routeText(route: string, add: string): string {
  const at = values.operator ? `\`\${operatorPrefix}/${name}\`` : `'/api/v1/${name}'`
  const names = values.operator ? 'defineRoute, operatorPrefix' : 'defineRoute'
  return `// <Where the route leads, and for whom.>
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../doors/add-route.ts'
import { ${names} } from '../../doors/route.ts'
import { list, object, text } from '../../doors/shapes.ts'

export const ${route} = defineRoute({
  method: 'get',
  path: ${at},
  who: '${values.operator ? 'operator' : 'account'}',
  summary: '<One sentence with a full stop: what the caller gets.>',
  answer: object({ rows: list(object({ name: text })) }),
})

export function ${add}(server: FastifyInstance) {
  addRoute(server, ${route}, () => ({ rows: [] }))
}
`
}
