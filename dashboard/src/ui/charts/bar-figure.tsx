import type { ReactElement } from 'react';
import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import { capOf, cutAt } from './cap.ts';
import './chart.css';

const HEIGHT = 260;

/** A part of each bar. Those of one `stack` stand on one another, in their order. */
export interface BarSeries<T> {
  name: string;
  /** Its colour: `--chart-<mark>`. */
  mark: string;
  stack: string;
  of(row: T): number;
}

interface BarFigureProps<T> {
  rows: readonly T[];
  series: readonly BarSeries<T>[];
  label: string;
  /** What stands below a bar, and beside the axis. */
  tick(row: T): string;
  axis(value: number): string;
  /** What is shown of a part where the pointer is. */
  heading(row: T): string;
  value(row: T, series: BarSeries<T>): ReactElement;
  onPick(row: T): void;
}

/** Bars over time; the page has the same figures as a table. A bar that towers above all others is cut, and says so. */
export function BarFigure<T extends object>(props: BarFigureProps<T>) {
  const { rows, series, label, axis, onPick } = props;
  const stackOf = (row: T, stack: string) =>
    series.filter((one) => one.stack === stack).map((one) => one.of(row));
  const height = (row: T, stack: string) => stackOf(row, stack).reduce((a, b) => a + b, 0);
  const stacks = [...new Set(series.map(({ stack }) => stack))];
  const cap = capOf(rows.flatMap((row) => stacks.map((stack) => height(row, stack))));
  const topOf = ({ stack }: BarSeries<T>) => series.findLast((one) => one.stack === stack);
  return (
    <figure className="chart" aria-label={label}>
      <div role="img" aria-label={`${label}. The same figures are in the table.`}>
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <BarChart
            data={[...rows]}
            style={{ cursor: 'pointer' }}
            onClick={({ activeTooltipIndex }) => {
              const row = rows[Number(activeTooltipIndex)];
              if (row !== undefined) onPick(row);
            }}
            barGap={1}
            barCategoryGap="18%"
            accessibilityLayer={false}
            margin={{ top: 20, right: 8, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey={(row: T) => props.tick(row)}
              tickLine={false}
              axisLine={false}
              minTickGap={32}
            />
            <YAxis
              tickFormatter={axis}
              tickLine={false}
              axisLine={false}
              width={56}
              {...(cap === null ? {} : { domain: [0, cap] })}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--hover)' }}
              content={(shown) => <BarTip {...shown} {...props} />}
            />
            {series.map((one) => {
              const place = series.filter(({ stack }) => stack === one.stack).indexOf(one);
              const isTop = topOf(one) === one;
              return (
                <Bar
                  key={one.name}
                  dataKey={(row: T) => cutAt(stackOf(row, one.stack), cap)[place] ?? 0}
                  stackId={one.stack}
                  fill={`var(--chart-${one.mark})`}
                  maxBarSize={22}
                  radius={isTop ? [2, 2, 0, 0] : 0}
                  isAnimationActive={false}
                >
                  {isTop && cap !== null ? (
                    <LabelList
                      position="top"
                      valueAccessor={({ payload }: { payload?: T }) => {
                        const whole = payload === undefined ? 0 : height(payload, one.stack);
                        return whole > cap ? `↑ ${axis(whole)}` : '';
                      }}
                    />
                  ) : null}
                </Bar>
              );
            })}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="chart-key">
        {series.map(({ name, mark }) => (
          <span key={name}>
            <span className={`mark mark-${mark}`} aria-hidden="true" /> {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

type TipProps<T> = Pick<TooltipContentProps, 'active' | 'payload'> & BarFigureProps<T>;

function BarTip<T extends object>({ active, payload, series, heading, value }: TipProps<T>) {
  const row = payload?.[0]?.payload as T | undefined;
  if (!active || row === undefined) return null;
  return (
    <div className="chart-tip">
      <strong>{heading(row)}</strong>
      {series.map((one) => (
        <span key={one.name} className="chart-tip-line">
          <span>
            <span className={`mark mark-${one.mark}`} /> {one.name}
          </span>
          <span className="figures">{value(row, one)}</span>
        </span>
      ))}
    </div>
  );
}
