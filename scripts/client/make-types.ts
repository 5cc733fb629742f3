// Writes the types of both clients, which are not in the repository.
import { withWholeCatalog } from '#test/catalog/whole-catalog.ts'
import { describeClients, writeClientTypes } from './files.ts'

const { clientTypes } = await withWholeCatalog(describeClients)
await writeClientTypes(clientTypes)
