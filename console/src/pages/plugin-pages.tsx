// Pages that plugins of the gateway add. The document lists them, and each is a module of the gateway's own origin.
import { useEffect, useRef, useState } from 'preact/hooks'
import { send } from '../gateway.ts'
import { Problem } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import type { PageEntry } from './pages.ts'

interface Listed {
  readonly path: string
  readonly title: string
}

type Show = (element: HTMLElement, gateway: { readonly request: typeof send }) => unknown

const list = document.querySelector<HTMLMetaElement>('meta[name="plugin-pages"]')?.content ?? '[]'

const listed: readonly Listed[] = JSON.parse(list)

export const pluginPages: readonly PageEntry[] = listed.map(({ path, title }) => ({
  path,
  label: title,
  side: 'account',
  async load() {
    const address = `${import.meta.env.BASE_URL}${path.slice(1)}.js`
    const { show } = (await import(/* @vite-ignore */ address)) as { show: Show }
    return () => <PluginPage title={title} show={show} />
  },
}))

function PluginPage({ title, show }: { title: string; show: Show }) {
  const home = useRef<HTMLDivElement>(null)
  const [error, setError] = useState<unknown>()
  const begin = () => {
    setError(undefined)
    const shows = async () => {
      if (home.current !== null) await show(home.current, { request: send })
    }
    shows().catch(setError)
  }
  useEffect(begin, [show])
  return (
    <Page title={title}>
      <Problem error={error} retry={begin} />
      <div ref={home} />
    </Page>
  )
}
