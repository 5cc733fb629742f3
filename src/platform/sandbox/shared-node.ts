// The gateway's own Node for programs in boxes, whose users may not be able to reach it where it is.
import { chmod, constants, copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isRoot } from './bubblewrap.ts'

/** Where the users of boxes can read it: in its place, or a copy in this folder. */
export async function shareNode(folder: string): Promise<string> {
  if (!isRoot() || (await everyoneReaches(process.execPath))) return process.execPath
  const copy = path.join(folder, 'node')
  await copyFile(process.execPath, copy, constants.COPYFILE_FICLONE)
  await chmod(copy, 0o755)
  return copy
}

async function everyoneReaches(place: string): Promise<boolean> {
  const { mode } = await stat(place)
  if ((mode & constants.S_IXOTH) === 0) return false
  const above = path.dirname(place)
  return above === place || (await everyoneReaches(above))
}
