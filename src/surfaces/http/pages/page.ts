/** A small self-contained page. `title` and `body` are not escaped: never pass text from a caller. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tollway</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }
  code, pre { font-family: ui-monospace, monospace; font-size: .9em }
  pre { overflow-x: auto; padding: 1rem; background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .5rem }
  input, button { font: inherit; padding: .4rem .7rem }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
}
