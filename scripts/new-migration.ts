// `npm run new-migration money add_tax` writes the file of a new migration, with the next number over all rooms.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readMigrations } from '#platform/database/schema.ts'
import { roomsWithTables } from '../src/app/schema.ts'

const [room = '', name = '', root = path.join(import.meta.dirname, '..')] = process.argv.slice(2)
if (!roomsWithTables.some((known) => known === room) || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error(
    `Name the room and the migration: npm run new-migration money add_tax. Rooms: ${roomsWithTables.join(', ')}.`,
  )
  process.exit(1)
}

const folderOf = (each: string) => path.join(root, 'src', each, 'schema')
const { length } = await readMigrations(roomsWithTables.map(folderOf))
const folder = path.join(folderOf(room), 'migrations')
const file = path.join(folder, `${String(length + 1).padStart(4, '0')}_${name}.sql`)
await mkdir(folder, { recursive: true })
await writeFile(file, '-- <Why the tables change.>\n')
console.log(`Written: ${path.relative(root, file)}. Change only tables in it: functions are in`)
console.log(
  'functions/. Then: UPDATE_SNAPSHOTS=1 npx vitest run src/app/schema.test.ts && npm run generate',
)
