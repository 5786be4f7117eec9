import { expect } from 'chai';
import {
  type Buyer,
  expectedPurchases,
  type PurchaseModel,
  type PurchaseParameters,
  probabilityAlive,
  probabilityOfPurchase,
} from '../../domain/scores/purchase-model.js';
import { hypergeometric, logGamma } from '../../domain/scores/special-functions.js';

const PARAMETERS: Readonly<Record<PurchaseModel, PurchaseParameters>> = {
  'bg-nbd': { r: 0.243, alpha: 4.414, a: 0.793, b: 2.426 },
  'mbg-nbd': { r: 0.525, alpha: 6.183, a: 0.891, b: 1.614 },
};
const RELATIVE_ERROR = 1e-9;

interface Exact {
  readonly model: PurchaseModel;
  readonly buyer: Buyer;
  readonly horizon: number;
  readonly alive: number;
  readonly purchase: number;
  readonly expected: number;
}

const exact = (model: PurchaseModel, [x, t_x, T, horizon]: readonly number[], [alive, purchase, expected]: readonly number[]): Exact =>
  ({ model, buyer: { x, t_x, T }, horizon, alive, purchase, expected }) as Exact;

/**
 * The formulas as they were published, before Euler's transformation, by mpmath with 60 digits: the probability of being alive, that of a
 * purchase within the horizon, and the expected number of purchases.
 */
const EXACT: readonly Exact[] = [
  exact('bg-nbd', [0, 0, 0, 39], [1, 0.4262136479039906, 1.196723193320817]),
  exact('bg-nbd', [0, 0, 100, 520], [1, 0.3524720446489271, 0.79891448227845]),
  exact('bg-nbd', [1, 0.1429, 0.2857, 0.1429], [0.7464602448231623, 0.02728096719533984, 0.02803357682265411]),
  exact('bg-nbd', [2, 30.43, 38.86, 39], [0.726578570080673, 0.5546271379170045, 1.2260281747671444]),
  exact('bg-nbd', [26, 30.86, 31, 52], [0.9689156497175251, 0.9689156496687301, 25.758195936483514]),
  exact('bg-nbd', [100, 99, 100, 520], [0.9798970583965162, 0.9798970583965162, 214.44074779237494]),
  exact('bg-nbd', [1000, 99, 100, 0.1], [0.07694181269539382, 0.04740760447167667, 0.07367916075762258]),
  exact('bg-nbd', [1000, 99, 100, 520], [0.07694181269539382, 0.07694181269539382, 166.72133090235909]),
  exact('bg-nbd', [1000, 99.9, 100, 39], [0.997939398443618, 0.997939398443618, 327.5065194168799]),
  exact('mbg-nbd', [0, 0, 0, 39], [0.644311377245509, 0.41752681050671103, 1.1829536655971726]),
  exact('mbg-nbd', [0, 0, 100, 520], [0.2893305094011947, 0.175356734201879, 0.44855100032317213]),
  exact('mbg-nbd', [1, 0.1429, 0.2857, 0.1429], [0.7392839367188894, 0.024228538321263454, 0.02476939195670563]),
  exact('mbg-nbd', [2, 30.43, 38.86, 39], [0.7062022651184873, 0.5599940908222931, 1.2629606232673658]),
  exact('mbg-nbd', [26, 30.86, 31, 52], [0.9655661441440616, 0.9655661440633501, 24.003922822200092]),
  exact('mbg-nbd', [100, 99, 100, 520], [0.9778038754819809, 0.9778038754819809, 194.2485461235782]),
  exact('mbg-nbd', [1000, 99, 100, 0.1], [0.07998732432581145, 0.04879890573139371, 0.07533769696297771]),
  exact('mbg-nbd', [1000, 99, 100, 520], [0.07998732432581145, 0.07998732432581145, 156.82426955605257]),
  exact('mbg-nbd', [1000, 99.9, 100, 39], [0.9977217574041981, 0.9977217574041981, 317.7467563946739]),
];

const expectClose = (found: number, value: number, what: string): void => {
  expect(Math.abs(found / value - 1), `${what}: ${found}, exactly ${value}`).to.be.below(RELATIVE_ERROR);
};

describe('models of purchases, to nine digits of exact values', () => {
  for (const { model, buyer, horizon, alive, purchase, expected } of EXACT) {
    it(`for ${buyer.x} repeat purchases until ${buyer.t_x} of ${buyer.T}, ${horizon} ahead (${model})`, () => {
      const parameters = PARAMETERS[model];
      expectClose(probabilityAlive(model, parameters, buyer), alive, 'alive');
      expectClose(probabilityOfPurchase(model, parameters, buyer, horizon), purchase, 'purchase');
      expectClose(expectedPurchases(model, parameters, buyer, horizon), expected, 'expected');
    });
  }

  it('for the functions that they use', () => {
    const gammas = [
      [0.001, 6.907178885383853],
      [0.25, 1.2880225246980774],
      [0.525, 0.5247770181232141],
      [1.5, -0.12078223763524522],
      [3.7, 1.4280723266653879],
      [61.83, 192.03904426638283],
      [1000.525, 5908.846870044191],
      [100000.3, 1051291.1628502463],
    ] as const;
    for (const [x, value] of gammas) expectClose(logGamma(x), value, `ln Γ(${x})`);
    expectClose(hypergeometric(-0.109, 1.98, 3.505, 0.9), 0.9159986919516809, '2F1 near one');
    expectClose(hypergeometric(-0.109, 1002, 1003, 0.83), 0.8247993546830451, '2F1 with large parameters');
    expectClose(hypergeometric(0.5, 3, 4, 0.99), 2.6836964688204357, '2F1 nearer to one');
  });
});
