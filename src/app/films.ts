// Films that this machine makes where it has ffmpeg, Chromium and bubblewrap.
import { createFilms, type Films } from '#features/studio/films/films.ts'
import { installedFonts } from '#features/studio/films/fonts/installed.ts'
import { createFilmRenderer } from '#features/studio/films/render/render.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export async function openFilms(
  { config, clock, sandbox }: AppContext,
  { database }: Store,
): Promise<Films> {
  const renderer = createFilmRenderer({
    sandbox,
    chromiumPath: config.CHROMIUM_PATH,
    chromiumSandbox: config.CHROMIUM_SANDBOX === 'on',
  })
  const missing = await renderer.missing()
  const made = { database, clock, renderer, missing, fonts: installedFonts }
  return createFilms({ ...made, rendersMax: config.RENDERS_AT_ONCE })
}
