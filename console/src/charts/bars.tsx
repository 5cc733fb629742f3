import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { labelledOf, ticksUpTo } from './scale.ts'

export interface Bar {
  readonly label: string
  /** One or two values, one standing on the other. */
  readonly values: readonly number[]
  /** Each value as the table writes it. */
  readonly shown: readonly ComponentChildren[]
}

const firstWidth = 640
const height = 220
const left = 52
const right = 20
const bottom = 22
const top = 8
const labelWidth = 80

/** The width of an element in pixels, so that text in a drawing keeps its size. */
function useWidth() {
  const element = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(firstWidth)
  useEffect(() => {
    if (element.current === null) return undefined
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(left + right + labelWidth, Math.round(entry?.contentRect.width ?? 0))),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

/** A chart of bars, with the same figures as a table for people who cannot see it or want to read them. */
export function BarChart({
  title,
  series,
  bars,
  showTick,
}: Figure & { showTick: (value: number) => string }) {
  const { element, width } = useWidth()
  const ticks = ticksUpTo(Math.max(0, ...bars.map(({ values }) => sum(values))))
  const most = ticks.at(-1) ?? 1
  const heightOf = (value: number) => ((height - top - bottom) * value) / most
  const step = (width - left - right) / Math.max(1, bars.length)
  const labelled = labelledOf(
    bars.length,
    Math.max(1, Math.floor((width - left - right) / labelWidth)),
  )
  return (
    <figure class="chart stack">
      <Caption {...{ title, series }} />
      <svg
        ref={element}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}. The table below has the same figures.`}
      >
        {ticks.map((tick) => {
          const y = height - bottom - heightOf(tick)
          return (
            <g key={tick}>
              <line class="grid" x1={left} x2={width - right} y1={y} y2={y} />
              <text x={left - 6} y={y + 4} text-anchor="end">
                {showTick(tick)}
              </text>
            </g>
          )
        })}
        {bars.map(({ label, values }, index) => (
          <g key={label}>
            {values.map((value, place) => (
              <rect
                key={series[place]}
                class={place === 0 ? 'bar' : 'bar other'}
                x={left + index * step + step * 0.15}
                width={step * 0.7}
                y={height - bottom - heightOf(sum(values.slice(0, place + 1)))}
                height={heightOf(value)}
              />
            ))}
            {labelled.has(index) && (
              <text x={left + (index + 0.5) * step} y={height - 6} text-anchor="middle">
                {label}
              </text>
            )}
          </g>
        ))}
      </svg>
      <FigureTable {...{ title, series, bars }} />
    </figure>
  )
}

function Caption({ title, series }: { title: string; series: readonly string[] }) {
  return (
    <figcaption class="bar start">
      <span class="label">{title}</span>
      {series.length > 1 &&
        series.map((name, index) => (
          <span key={name} class={index === 0 ? 'key quiet' : 'key other quiet'}>
            {name}
          </span>
        ))}
    </figcaption>
  )
}

interface Figure {
  title: string
  /** The name of each value. */
  series: readonly string[]
  bars: readonly Bar[]
}

function FigureTable({ title, series, bars }: Figure) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && <Figures {...{ title, series, bars }} />}
    </details>
  )
}

function Figures({ title, series, bars }: Figure) {
  return (
    <table>
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map((name) => (
            <th scope="col" class="amount" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, shown }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {shown.map((value, place) => (
              <td class="amount" key={series[place]}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
