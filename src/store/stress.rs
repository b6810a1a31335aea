//! Several processes at the same index, killed at random. Runs when `RUN_SLOW_TESTS` is set.

#![expect(clippy::disallowed_methods, reason = "the test starts itself as other processes and tells them their role")]

use std::env;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::model::EntityRecord;
use crate::store::error::StoreError;
use crate::store::rows::Resolved;
use crate::store::write::bulk::BulkBuilder;
use crate::store::{Store, sample};

/// Set in a child process: its task, and the place.
const ROLE: &str = "REPOIDX_STRESS_ROLE";
const DIR: &str = "REPOIDX_STRESS_DIR";

#[test]
fn killed_writers_and_builders_never_harm_readers() {
    if let (Ok(role), Ok(dir)) = (env::var(ROLE), env::var(DIR)) {
        work(&role, Path::new(&dir)).unwrap();
        return;
    }
    if env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    let roles = ["writer", "writer", "builder", "reader", "reader"];
    let mut children: Vec<Child> = roles.iter().map(|role| spawn(role, dir.path())).collect();
    let (mut seed, mut kills) = (7_u32, 0);
    let end = Instant::now() + Duration::from_secs(20);
    while Instant::now() < end {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        std::thread::sleep(Duration::from_millis(u64::from(seed >> 25)));
        let victim = (seed >> 16) as usize % 3;
        assert!(children[victim].try_wait().unwrap().is_none(), "a {} gave up", roles[victim]);
        children[victim].kill().unwrap();
        children[victim].wait().unwrap();
        children[victim] = spawn(roles[victim], dir.path());
        kills += 1;
        for reader in [3, 4] {
            assert!(children[reader].try_wait().unwrap().is_none(), "a reader met something wrong");
        }
    }
    for mut child in children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let store = Store::open_read_only(dir.path()).unwrap();
    store.verify().unwrap();
    let count: u64 = store.meta("count").unwrap().unwrap().parse().unwrap();
    assert!(kills > 50 && count > 50, "{kills} kills, {count} updates: nothing was proved");
}

fn spawn(role: &str, dir: &Path) -> Child {
    let name = "store::stress::killed_writers_and_builders_never_harm_readers";
    Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(ROLE, role)
        .env(DIR, dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn work(role: &str, dir: &Path) -> Result<(), StoreError> {
    loop {
        match role {
            "writer" => write(dir)?,
            "builder" => build(dir)?,
            _ => read(dir)?,
        }
    }
}

/// One update more, as the index itself counts them: a file for each, and each file calls into the one before.
fn write(dir: &Path) -> Result<(), StoreError> {
    let lock = Store::lock_for_writing(dir)?;
    let mut store = Store::open_locked(&lock)?;
    let update = store.write()?;
    let count: u32 = update.meta("count")?.map_or(0, |count| count.parse().unwrap());
    let file = update.put_file(&sample::file(&format!("{:03}.py", count % 100), 1))?;
    let names = if count.is_multiple_of(2) { &["f", "g"][..] } else { &["C", "f", "C.m"][..] };
    let ids = update.put_entities(file, &sample::entities("m", names, 1 + count % 7))?;
    let others = update.entities_named("000", false)?;
    let others: Vec<_> = others.iter().map(|entity| entity.id).chain(ids.iter().copied()).collect();
    update.put_resolution(file, &sample::resolution(ids[1], &others))?;
    update.put_facts(&[u8::try_from(count % 256).unwrap(); 32], &[7; 5_000], b"")?;
    update.set_meta("count", &(count + 1).to_string())?;
    update.commit()?;
    if count.is_multiple_of(5) { store.settle() } else { Ok(()) }
}

/// The same index, built anew.
fn build(dir: &Path) -> Result<(), StoreError> {
    let lock = Store::lock_for_writing(dir)?;
    let store = Store::open_locked(&lock)?;
    let mut builder = BulkBuilder::new(&lock)?;
    let mut resolutions = Vec::new();
    let mut first = 1;
    let mut renamed = Vec::new();
    for (id, file) in store.files()? {
        let entities = store.entities_of(id)?;
        let records: Vec<EntityRecord> = entities.iter().map(|entity| entity.record.clone()).collect();
        builder.add_file(id, &file)?;
        builder.add_entities(id, crate::model::EntityId(first), &records)?;
        renamed.extend(entities.iter().zip(first..).map(|(entity, new)| (entity.id, crate::model::EntityId(new))));
        first += u32::try_from(entities.len()).unwrap();
        resolutions.push((id, store.resolution(id)?.unwrap_or_default()));
    }
    renamed.sort_unstable();
    let new_id = |old| renamed[renamed.binary_search_by_key(&old, |(old, _)| *old).unwrap()].1;
    for relationship in resolutions.iter_mut().flat_map(|(_, resolution)| &mut resolution.relationships) {
        relationship.source = new_id(relationship.source);
        relationship.target = new_id(relationship.target);
    }
    if let Some(count) = store.meta("count")? {
        builder.set_meta("count", &count)?;
    }
    drop(store);
    let resolutions = resolutions.iter().map(|(id, resolution)| Ok((*id, Resolved::of(resolution)?)));
    drop(builder.end_load()?.finish(&resolutions.collect::<Result<Vec<_>, StoreError>>()?)?);
    drop(lock);
    std::thread::sleep(Duration::from_millis(20));
    Ok(())
}

/// Every state that can be seen is whole.
fn read(dir: &Path) -> Result<(), StoreError> {
    let store = Store::open_read_only(dir)?;
    store.verify()?;
    let count: u64 = store.meta("count")?.map_or(0, |count| count.parse().unwrap());
    assert_eq!(store.counts()?.files, count.min(100), "files and count are of one state");
    assert_eq!(store.counts()?.files, store.files()?.len() as u64);
    Ok(())
}
