const commercial = (release_channel: string, use_cases: string[], more: object = {}) => ({
  mandates: { vrp_commercial: { release_channel, use_cases, ...more } },
});
const provider = (id: string, display_name: string, capabilities: object) => ({
  id,
  display_name,
  country_code: 'GB',
  capabilities: { payments: {}, ...capabilities },
});
const HEALTH = { recommended_status: 'healthy', updated_at: '2024-04-16T14:11:18.214924Z' };
/** The banks that it lists: two that can be chosen, and one for each reason why one cannot. */
export const PROVIDERS = [
  provider(
    'ob-rowan',
    'Rowan Bank',
    commercial('general_availability', ['utilities', 'charity'], { availability: HEALTH }),
  ),
  provider('ob-alder', 'Alder Bank', commercial('general_availability', ['utilities'])),
  provider('ob-beta', 'Beta Bank', commercial('private_beta', ['utilities'])),
  provider('ob-charity', 'Charity Bank', commercial('general_availability', ['charity'])),
  provider(
    'ob-ill',
    'Ill Bank',
    commercial('general_availability', ['utilities'], {
      availability: { ...HEALTH, recommended_status: 'unhealthy' },
    }),
  ),
  provider('ob-single', 'Single Bank', {}),
];
