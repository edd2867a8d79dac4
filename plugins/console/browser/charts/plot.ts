import UPlot from 'uplot';

/** A plot on the page. */
export interface Plot {
  /** @param data seconds since 1970, then the values of each curve */
  show(data: readonly (readonly (number | null)[])[]): void;
  destroy(): void;
}

const height = 140;

/** Colours come from the page's variables, so that they fit light and dark. */
export function plot(parent: HTMLElement, names: readonly string[]): Plot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {stroke: colour('--text'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line'), width: 1}};
  const chart = new UPlot(
    {
      width: parent.clientWidth,
      height,
      legend: {show: false},
      cursor: {y: false},
      axes: [axis, {...axis, size: 56}],
      scales: {y: {range: (_plot, _low, high) => [0, Math.max(high * 1.1, 0.1)]}},
      series: [{}, ...names.map((name, index) => ({label: name, stroke: colour(`--curve-${index}`), width: 2, spanGaps: true}))],
    },
    [[], ...names.map(() => [])],
    parent,
  );
  const observer = new ResizeObserver(() => chart.setSize({width: parent.clientWidth, height}));
  observer.observe(parent);
  return {
    show: (data) => chart.setData(data as UPlot.AlignedData),
    destroy: () => {
      observer.disconnect();
      chart.destroy();
    },
  };
}
