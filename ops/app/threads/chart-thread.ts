import { parentPort } from 'node:worker_threads';
import type { Chart } from '../../../formats/scores/chart.js';
import { drawChart } from '../../../formats/scores/draw-chart.js';

/** The entry of a thread that answers every chart with its SVG, or null where it cannot be drawn. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
port.on('message', (chart: Chart) => {
  drawChart(chart).then(
    (svg) => port.postMessage(svg),
    () => {
      port.postMessage(null);
      port.close();
    },
  );
});
