import {useEffect, useRef, useState} from 'preact/hooks';
import {charts, type Chart} from '../../api/charts.js';
import type {Reading} from '../../api/samples.js';
import type * as PlotLibrary from '../../charts/plot.js';

/** What the server does, as curves from the moment on that they are looked at. */
export function Curves({readings}: {readonly readings: readonly Reading[]}) {
  const [library, setLibrary] = useState<typeof PlotLibrary>();
  useEffect(() => void import('../../charts/plot.js').then(setLibrary), []);
  return <div class="charts">{library && charts.map((chart) => <ChartView chart={chart} readings={readings} library={library} />)}</div>;
}

interface ChartViewProps {
  readonly chart: Chart;
  readonly readings: readonly Reading[];
  readonly library: typeof PlotLibrary;
}

function ChartView({chart: {title, unit, curves}, readings, library}: ChartViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const made = useRef<PlotLibrary.Plot | undefined>(undefined);
  const steps = readings.slice(1).map((now, index) => ({now, before: readings[index]!}));
  const data = [steps.map(({now}) => now.at), ...curves.map(({value}) => steps.map(({now, before}) => value(now, before)))];
  useEffect(() => {
    const plot = library.plot(
      element.current!,
      curves.map(({name}) => name),
    );
    made.current = plot;
    return () => plot.destroy();
  }, []);
  useEffect(() => made.current?.show(data), [readings]);
  const latest = (index: number) => {
    const value = data[index + 1]?.at(-1);
    return value == null ? '–' : value.toFixed(value < 10 ? 1 : 0);
  };
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong> <small>{unit}</small>
        <ul>
          {curves.map(({name}, index) => (
            <li>
              <span class={`swatch curve-${index}`} aria-hidden="true" /> {name} {latest(index)}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={element} aria-hidden="true" />
    </figure>
  );
}
