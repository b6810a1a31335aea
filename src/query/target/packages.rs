//! Packages: their name stands for all their modules, and a path for one file.

use crate::{
    model::EntityKind,
    query::target::{Target, place},
    store::{Store, error::StoreError, read::Entity},
};

/// The file that makes a folder a package.
const INIT: &str = "__init__.py";

/// The target with all modules of its package, where `text` names a package; else the target itself.
pub fn whole_package(store: &Store, text: &str, target: Target) -> Result<Target, StoreError> {
    let main = target.main();
    let Some(folder) = main.path.strip_suffix(INIT).filter(|folder| !folder.is_empty()) else { return Ok(target) };
    if main.record.kind != EntityKind::Module || place(text).is_some() {
        return Ok(target);
    }
    let mut modules = target.entities.clone();
    for (file, record) in store.files()? {
        if file != main.file && record.path.starts_with(folder) {
            modules.extend(store.entities_of(file)?.into_iter().find(is_module));
        }
    }
    Ok(Target { entities: modules, inherited_by: None })
}

/// The number of modules, where the target is a whole package.
pub fn modules_of_package(target: &Target) -> Option<usize> {
    let modules = target.entities.len();
    (modules > 1 && target.main().record.kind == EntityKind::Module).then_some(modules)
}

fn is_module(entity: &Entity) -> bool {
    entity.record.qualified.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::EntityKind::Function,
        query::{
            fixture::Fixture,
            target::{TargetMatch, look_up},
        },
    };

    #[test]
    fn a_name_means_the_package_and_a_path_the_file() {
        let mut fixture = Fixture::default();
        fixture.file("src/shop/cart/__init__.py", "shop.cart").entity(Function, "total", 1, 2);
        fixture.file("src/shop/cart/rules.py", "shop.cart.rules").entity(Function, "check", 1, 2);
        fixture.file("src/shop/cartons.py", "shop.cartons").entity(Function, "pack", 1, 2);
        let store = fixture.store();
        let modules = |text: &str| {
            let TargetMatch::Found(target) = look_up(&store, text, "").expect("a store in memory") else {
                panic!("{text} is one definition")
            };
            modules_of_package(&whole_package(&store, text, target).expect("a store in memory"))
        };
        assert_eq!(modules("shop.cart"), Some(2));
        assert_eq!(modules("src/shop/cart/__init__.py"), None);
        assert_eq!(modules("shop.cart.rules"), None);
        assert_eq!(modules("shop.cart.total"), None);
    }
}
